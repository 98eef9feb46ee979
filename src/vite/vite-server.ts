/** A request of the page, as Node has it. */
export interface PageRequest {
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The members of Vite's servers that the plugin uses: its types work with every version of Vite, and without it. */
export interface ViteServer {
  readonly config: {
    root: string;
    base: string;
    env: Record<string, string | undefined>;
    plugins: readonly { readonly name: string }[];
    logger: { info: (message: string) => void };
    server: object;
    preview: object;
  };
  readonly middlewares: {
    use: (handler: (request: object, res: object, next: (error?: unknown) => void) => Promise<void>) => unknown;
  };
  readonly httpServer: { once: (event: "listening", listener: () => void) => unknown } | null;
  readonly watcher?: { close: () => Promise<void> };
  printUrls: () => void;
  close: () => Promise<void>;
}
