declare const engineValue: unique symbol;

/** The media root of a client. Opaque: only the media engine that created it can use its content. */
export interface MediaRoot {
  readonly [engineValue]: true;
  /**
   * An absolute path in a request that begins with this prefix means the path below it. The local engine sets the host
   * path of the root, so that clients can send host paths; `/` sets no prefix.
   */
  readonly pathPrefix: string;
}
