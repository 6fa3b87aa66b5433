/** The least time between two notes about one watch. */
const PAUSE_MS = 10_000;

/**
 * Notes that clients have asked for scans of watches for which other services work, if nothing else can tell these services. Each note is a write, so
 * they are rare; a scan that is asked for in the pause after a note is noted at the end of the pause, because the scan before may have begun already.
 */
export function askedNotes(note: (watchId: string) => void, pauseMs = PAUSE_MS) {
  /** The watches in whose pause it is, and whether a scan was asked for since the note. */
  const pausing = new Map<string, boolean>();
  const ask = (watchId: string): void => {
    if (pausing.has(watchId)) {
      pausing.set(watchId, true);
      return;
    }
    pausing.set(watchId, false);
    note(watchId);
    setTimeout(() => {
      const isAsked = pausing.get(watchId);
      pausing.delete(watchId);
      if (isAsked === true) ask(watchId);
    }, pauseMs).unref();
  };
  return {
    ask,
    /** Notes nothing more that is asked for now. */
    stop: (): void => pausing.clear(),
  };
}
