/** The upload links that have been used, so that each is used once. */
export interface UsedLinks {
  /**
   * Marks a link as used. Resolves to false if it is used already: of several calls at once, one resolves to true. The mark
   * stays for a day after `expiresAt`, when the link no longer works; later, every call resolves to false.
   */
  use(linkId: string, expiresAt: Date): Promise<boolean>;
  /** Removes the mark of a link whose upload has failed, so that the link works again. */
  release(linkId: string): Promise<void>;
  isUsed(linkId: string): Promise<boolean>;
}
