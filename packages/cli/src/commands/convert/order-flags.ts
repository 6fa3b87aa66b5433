import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import type { ConversionRequest } from '@telecine/client/api.ts';
import { CUT_MEASUREMENTS } from '@telecine/contract/domain/cut.ts';
import type { HlsEncryption } from '@telecine/contract/domain/hls-encryption.ts';
import type { Join } from '@telecine/contract/domain/join.ts';
import type { SpeechLanguage } from '@telecine/contract/domain/transcription.ts';
import type { ProgressForm } from '../../output/progress-display.ts';
import { type CommandFailed, usageError } from '../../session/command-failed.ts';
import type { CommandParameters } from '../../session/parameters.ts';
import type { ServiceFlags } from '../../session/service-verbs.ts';
import type { ConversionOrder, OutputOrder } from './conversion-order.ts';

/** The options of `telecine convert`, as commander passes them. */
export interface ConvertFlags extends ServiceFlags {
  readonly parameter?: CommandParameters;
  readonly join?: Join;
  readonly only?: string;
  readonly remove?: string;
  readonly transcribe?: string;
  readonly chunks?: ConversionOrder['chunks'];
  readonly quality?: number;
  readonly frameSize?: ConversionOrder['frameSize'];
  readonly preset?: string;
  readonly argument?: Readonly<Record<string, string>>;
  readonly format?: string;
  readonly y?: true;
  readonly strict?: true;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly expiresAfter?: number;
  readonly priority?: number;
  readonly encryptKeyUri?: string;
  readonly encryptKeyFile?: string;
  readonly progress?: ProgressForm;
  readonly quiet?: true;
  readonly keep?: true;
  readonly dryRun?: true;
  readonly to?: string;
  readonly parallel?: number;
  readonly local?: true;
  /** False with `--no-wait`. */
  readonly wait: boolean;
}

type Cut = NonNullable<ConversionRequest['cut']>;

/** Reads the value of `--only` or `--remove`. Returns undefined if neither is set. Throws `CommandFailed`. */
export function readCut({ only, remove }: { readonly only?: string; readonly remove?: string }): Cut | undefined {
  if (only !== undefined && remove !== undefined)
    throw usageError('EXCLUSIVE', '--only and --remove both name the parts of the output.', 'Leave out one.');
  if (only !== undefined) return { keep: readRanges('--only', only) };
  if (remove === undefined) return undefined;
  return { remove: readMeasured(remove) ?? readRanges('--remove', remove) };
}

/** Reads time ranges such as `10-20,1:30-`. The service checks the times. */
function readRanges(flag: string, text: string): Extract<Cut['keep'], readonly unknown[]> {
  return text.split(',').map((part) => {
    const [, start = '', end = ''] = /^\s*([^-\s]*)\s*-\s*([^-\s]*)\s*$/.exec(part) ?? [];
    if (start === '' && end === '')
      throw usageError(
        'BAD_RANGE',
        `${flag} ${text}: "${part}" is not a range of times.`,
        `Write ${flag} 10-20,1:30-2:00,5:00- for three parts, the last one up to the end.`,
      );
    return { ...(start !== '' && { start }), ...(end !== '' && { end }) };
  });
}

/** Reads `silence`, or `silence` with settings: `silence,noiseDb=-40,minSeconds=0.7`. Returns undefined for time ranges. */
function readMeasured(text: string): Cut['remove'] | undefined {
  const [name = '', ...words] = text.split(',');
  const measurement = CUT_MEASUREMENTS.find((one) => one === name);
  if (measurement === undefined) return undefined;
  const all = words.map((word): readonly [string, number] => {
    const [, setting = '', value = ''] = /^(\w+)=(-?\d+(?:\.\d+)?)$/.exec(word) ?? [];
    if (setting !== '') return [setting, Number(value)];
    throw usageError(
      'BAD_SETTING',
      `--remove ${text}: "${word}" is not a setting.`,
      'Write --remove silence,noiseDb=-40,minSeconds=0.7.',
    );
  });
  const { marginSeconds, ...settings } = Object.fromEntries(all);
  return { [measurement]: settings, ...(marginSeconds !== undefined && { marginSeconds }) };
}

const KEY_BYTES = 16;

interface ReadEncryption {
  readonly encrypt: HlsEncryption;
  /**
   * Saves a new key to its file. Call it after the check of the order, so that a mistyped command leaves no key file, and before an
   * upload, so that each output has its key.
   * Throws `CommandFailed`.
   */
  saveKey(): Promise<void>;
}

/**
 * Reads how HLS is encrypted. Creates a random key if the key file does not exist. The key is never an argument, because all users of the
 * machine can see arguments. Throws `CommandFailed`.
 */
export async function readEncryption({
  encryptKeyUri: keyUri,
  encryptKeyFile: file,
}: Pick<ConvertFlags, 'encryptKeyUri' | 'encryptKeyFile'>): Promise<ReadEncryption | undefined> {
  if (keyUri === undefined && file === undefined) return undefined;
  if (keyUri === undefined)
    throw usageError(
      'NO_KEY_URI',
      '--encrypt-key-file needs the URI at which players get the key.',
      'Add --encrypt-key-uri https://keys.example.com/film.key',
    );
  if (file === undefined)
    throw usageError(
      'NO_KEY_FILE',
      '--encrypt-key-uri needs a file for the key.',
      'Add --encrypt-key-file film.key: the key is read from it, or created and written to it if it does not exist.',
    );
  const read = await readKey(file);
  const key = read ?? randomBytes(KEY_BYTES);
  if (key.length !== KEY_BYTES)
    throw usageError(
      'BAD_KEY_FILE',
      `The key file "${file}" has ${key.length} bytes, and a key of AES-128 has ${KEY_BYTES}.`,
      'Name a file that does not exist, to make a key, or make one: openssl rand 16 > film.key',
    );
  return {
    encrypt: { keyUri, key: key.toString('hex') },
    saveKey: async () => {
      if (read === undefined) await writeKey(file, key);
    },
  };
}

/** Reads a key file. Returns undefined if the file does not exist. */
const readKey = (file: string): Promise<Buffer | undefined> =>
  readFile(file).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw notUsable(file, 'read', error);
  });

/** Writes a key to a new file. Fails if the file exists, because another command may have created it. */
const writeKey = (file: string, key: Buffer): Promise<void> =>
  writeFile(file, key, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    throw notUsable(file, 'written', error);
  });

const notUsable = (file: string, use: string, cause: unknown): CommandFailed =>
  usageError(
    'BAD_KEY_FILE',
    `The key file "${file}" cannot be ${use}: ${cause instanceof Error ? cause.message : String(cause)}`,
    'Name a file that this user can read and write.',
  );

/** Reads the flags of an order, but not its inputs and its output. Throws `CommandFailed`. */
export const commonOf = (flags: ConvertFlags, encryption?: ReadEncryption): OutputOrder => ({
  format: flags.format,
  parameters: flags.parameter ?? {},
  join: flags.join,
  cut: readCut(flags),
  transcribe: flags.transcribe === undefined ? undefined : { language: flags.transcribe as SpeechLanguage },
  chunks: flags.chunks,
  quality: flags.quality === undefined ? undefined : { target: flags.quality },
  frameSize: flags.frameSize,
  preset: presetOf(flags),
  replace: flags.y ?? false,
  strict: flags.strict ?? false,
  metadata: flags.metadata,
  expiresAfterSeconds: flags.expiresAfter,
  priority: flags.priority,
  encrypt: encryption?.encrypt,
});

/** Reads the recipe of the flags. Throws `CommandFailed` for recipe arguments without a recipe, and for a version that is not a number. */
export function presetOf({ preset, argument }: Pick<ConvertFlags, 'preset' | 'argument'>): ConversionOrder['preset'] {
  if (preset === undefined) {
    if (argument === undefined) return undefined;
    throw usageError(
      'NO_PRESET',
      '--argument needs a recipe.',
      'Name the recipe: --preset NAME. See "telecine recipes".',
    );
  }
  const [name = '', version] = preset.split('@');
  if (version !== undefined && !/^[1-9]\d{0,8}$/.test(version))
    throw usageError(
      'BAD_VERSION',
      `The version "${version}" of the recipe is not a number.`,
      `Write it as --preset ${name}@1.`,
    );
  return {
    name,
    ...(version !== undefined && { version: Number(version) }),
    ...(argument !== undefined && { arguments: { ...argument } }),
  };
}

/**
 * Returns how progress is shown. With `--json`, progress needs `--progress`: programs usually need only the result, which includes the
 * warnings.
 */
export const formOf = ({ progress, quiet, json }: ConvertFlags): ProgressForm | 'silent' | undefined =>
  (quiet || json) && (progress ?? 'none') === 'none' ? 'silent' : progress;

export interface ConvertCall {
  readonly flags: ConvertFlags;
  readonly encryption: ReadEncryption | undefined;
  readonly signal: AbortSignal;
}
