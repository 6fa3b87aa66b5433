/** The parts of a signed link, which replaces a token. Anyone who has the link can read them. None contains `~`. */
export interface SignedLink {
  /** The client that signed it. */
  readonly client: string;
  /** Whole seconds since 1970, as text. */
  readonly issued: string;
  readonly expires: string;
  /** The id of the signing key. */
  readonly key: string;
  readonly signature: string;
}
