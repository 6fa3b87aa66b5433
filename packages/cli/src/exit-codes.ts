/** Exit codes of the commands that call a service. Scripts rely on them: never change their meaning. */
export const EXIT = {
  done: 0,
  failed: 1,
  refused: 2,
  unauthorised: 3,
  unreachable: 4,
  timedOut: 5,
  /** The exit code that a shell reports after Ctrl-C. */
  cancelled: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Shown at the end of `--help`. */
export const EXIT_HELP = `
Exit codes:
  0    done
  1    the conversion failed, the result could not be saved, or the probed file is not media
  2    invalid usage, or the service rejected the request
  3    missing or invalid credentials, or missing scope
  4    the service cannot be reached, is busy or failed
  5    not finished within --timeout
  130  cancelled`;
