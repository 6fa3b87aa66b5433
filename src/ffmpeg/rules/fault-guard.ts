/**
 * Runs code that only explains a result. If that code throws, its result is `instead`: a fault there must not end a job whose
 * conversion succeeded, or hide the true reason of one that failed.
 */
export type FaultGuard = <T>(explain: () => T, instead: T) => T;

/** A line that cannot be read may be followed by many of its kind. */
const MAX_REPORTS = 5;

/** Creates the guard of one conversion. It reports its first faults to `onFault`. */
export function faultGuard(onFault: (error: unknown) => void = () => undefined): FaultGuard {
  let faults = 0;
  return (explain, instead) => {
    try {
      return explain();
    } catch (error) {
      faults += 1;
      if (faults <= MAX_REPORTS) onFault(error);
      return instead;
    }
  };
}
