/** How the commands that talk to a service end. Scripts rely on these: none is given another meaning. */
export const EXIT = {
  done: 0,
  failed: 1,
  refused: 2,
  unauthorised: 3,
  unreachable: 4,
  timedOut: 5,
  /** As a shell reports a program that Ctrl-C has ended. */
  cancelled: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** For the end of `--help`. */
export const EXIT_HELP = `
Exit codes:
  0    done
  1    the conversion failed, or the result could not be saved, or a probed file is no media
  2    wrong usage, or the service refused the request
  3    not authorised
  4    the service cannot be reached, is busy or has a fault
  5    not done within --timeout
  130  cancelled`;
