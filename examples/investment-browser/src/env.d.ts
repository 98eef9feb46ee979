/** The variables that `offering-sandbox exec` sets, and that vite.config.ts passes on during development. */
interface ImportMetaEnv {
  readonly OFFERING_SANDBOX_BASE_URL?: string;
  readonly OFFERING_SANDBOX_OFFERING_ID?: string;
  readonly OFFERING_SANDBOX_MARKETING_KEY?: string;
  readonly OFFERING_SANDBOX_PARTNER_KEY?: string;
}
