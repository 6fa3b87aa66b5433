import type { Config } from '../../config/config.ts';
import { ConfigError } from '../../config/read-settings.ts';
import type { Traces } from '../../telemetry/traces.ts';
import type { Log } from '../logger.ts';
import { version } from '../version.ts';
import { readSecretSetting } from './secret-setting.ts';

/**
 * Opens the traces of this process; undefined if they are off. Throws `ConfigError` if the file of
 * TELECINE_OTLP_HEADERS_FILE is missing or malformed.
 */
export async function openTraces(
  closers: AsyncDisposableStack,
  { otlpEndpoint, otlpHeadersFile, traceRatio }: Config,
  log: Log['log'],
  instanceId: string,
): Promise<Traces | undefined> {
  if (otlpEndpoint === undefined) return undefined;
  const headers = otlpHeadersFile === undefined ? {} : readHeaders(otlpHeadersFile);
  // The library takes 200 ms and 20 MB, so it is loaded only here.
  const { createTraces } = await import('../../telemetry/traces.ts');
  const traces = createTraces({
    endpoint: otlpEndpoint,
    headers,
    ratio: traceRatio,
    version: version(),
    instanceId,
    onExportFailed: (err) => log.warn({ component: 'traces', err }, 'traces could not be sent'),
  });
  closers.defer(traces.close);
  return traces;
}

/** RFC 9110, 5.1 and 5.5: a token, and visible characters of ASCII with spaces between them. */
const FIELD = /^([!#$%&'*+\-.^_`|~\w]+):[ \t]*([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)[ \t]*$/;

function readHeaders(path: string): Readonly<Record<string, string>> {
  const lines = readSecretSetting('TELECINE_OTLP_HEADERS_FILE', path).split(/\r?\n/);
  return Object.fromEntries(
    lines.flatMap((line, index) => {
      if (line.trim() === '') return [];
      const [, name, value] = FIELD.exec(line) ?? [];
      if (name === undefined || value === undefined)
        throw new ConfigError(
          `TELECINE_OTLP_HEADERS_FILE: line ${index + 1} of ${path} is not a header field. Write one "name: value" per line.`,
        );
      return [[name, value]];
    }),
  );
}
