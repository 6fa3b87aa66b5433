/** What is posted again and again, over all connections. */
export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly seconds: number;
}

/** What came of it. */
export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly requests: number;
  /** Share of one core that making the load took; near 1, it is what limits the measurement. */
  readonly generator: number;
}

export const CONNECTIONS = 64;
