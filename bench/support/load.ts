/** The request to send repeatedly over all connections. */
export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly seconds: number;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly requests: number;
  /** The share of one core that the load generator used. Near 1, the generator limits the measurement. */
  readonly generator: number;
}

export const CONNECTIONS = 64;
