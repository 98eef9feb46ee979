/** Set by `offering-sandbox exec`, and let through by vite.config.ts while developing. */
interface ImportMetaEnv {
  readonly OFFERING_SANDBOX_BASE_URL?: string;
  readonly OFFERING_SANDBOX_OFFERING_ID?: string;
  readonly OFFERING_SANDBOX_MARKETING_KEY?: string;
  readonly OFFERING_SANDBOX_PARTNER_KEY?: string;
}
