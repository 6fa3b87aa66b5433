import type { Words } from './forms.ts';

/** Why the planner rejects an example that ffmpeg accepts. */
export interface DesignReason {
  readonly reason: string;
  readonly code: string;
  /** What the command has. */
  readonly pattern: RegExp;
}

const filter = (names: string, reason: string): DesignReason => ({
  reason,
  code: 'FILTER_NOT_ALLOWED',
  pattern: new RegExp(`(?:^|[\\s,;\\]])(?:${names})(?:[=,@;[\\s]|$)`),
});

const option = (names: string, reason: string): DesignReason => ({
  reason,
  code: 'OPTION_NOT_ALLOWED',
  pattern: new RegExp(`(?:^| )-(?:${names})(?:[: ]|$)`),
});

export const BY_DESIGN: readonly DesignReason[] = [
  filter('a?movie', 'opens files and URLs that are no inputs'),
  filter('a?sendcmd|a?zmq', 'sets options of other filters that nothing checked'),
  filter('signature', 'writes a file that is no output'),
  filter('vidstabdetect', 'detects motion only for vidstabtransform, which the service runs after it'),
  filter('a?buffer', 'is reserved for ffmpeg itself'),
  filter('a?bench', 'only measures how long other filters take'),
  {
    reason: 'a filter would write a file that is no output',
    code: 'OPTION_NOT_ALLOWED',
    pattern: /a?metadata=[^,]*file=|curves=[^,]*plot=|(?:psnr|ssim)=[^,]*stats_file=|vidstabdetect=[^,]*result=/,
  },
  { reason: 'lavfi is no file: send its graph in "filter_complex"', code: 'UNKNOWN_FORMAT', pattern: /-f lavfi/ },
  option('sources|sinks', 'prints information about devices'),
  option('cpuflags|cpucount', 'is set by the service'),
  option('loglevel', 'asks for a longer log than the service reads'),
  option('benchmark', 'prints how long ffmpeg takes'),
  option('dump_attachment', 'writes files that are no outputs'),
  option('method', 'is an option of a network protocol'),
  { reason: 'loopback decoders take another request', code: 'NOT_REPEATABLE', pattern: / -dec / },
  { reason: 'loopback decoders take another request', code: 'OPTION_NOT_ALLOWED', pattern: / -dec / },
  { reason: 'loopback decoders take another request', code: 'UNKNOWN_LABEL', pattern: / -dec / },
  { reason: 'no known extension: "format" says the format', code: 'UNKNOWN_FORMAT', pattern: /slow\.302$/ },
  { reason: 'a format of fragments for a server of its own', code: 'FORMAT_NOT_ALLOWED', pattern: /-f hds/ },
  { reason: 'not a demuxer of media', code: 'UNKNOWN_FORMAT', pattern: /-f webm_dash_manifest -i/ },
  { reason: 'a muxer for pipes: "segment" writes files', code: 'FORMAT_NOT_ALLOWED', pattern: /-f ssegment/ },
  { reason: 'one request makes both passes', code: 'BAD_PASS', pattern: /-pass 1/ },
  { reason: 'an output that is no file', code: 'NOT_A_FILE', pattern: / (?:NUL|\/dev\/null)$/ },
  { reason: 'folders named by a date', code: 'BAD_FILE_NAME', pattern: /-strftime_mkdir 1/ },
  { reason: 'a path outside of the media root', code: 'OUTSIDE_ROOT', pattern: /\.\.\// },
];

/** The reasons for an error of the planner about a command. */
export const reasonsFor = (argv: Words, error: string): readonly DesignReason[] => {
  const text = argv.join(' ');
  return BY_DESIGN.filter(({ code, pattern }) => code === error && pattern.test(text));
};
