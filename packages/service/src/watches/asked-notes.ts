/** The least time between two notes about one watch. */
const PAUSE_MS = 10_000;

/**
 * Notes in the database that a client has asked for a scan of a watch for which another service works. Used where nothing else can reach that
 * service. Each note is a write, so after one there is a pause. A scan that is asked for in the pause is noted at its end, because the scan of the
 * first note may have begun before.
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
