import { readPath, readWebAddress, type Setting, type SettingReader } from './setting.ts';

const setting = <T>(s: Setting<T>): Setting<T> => s;

const readRatio: SettingReader<number> = (text) => {
  const value = Number(text);
  if (!/^(\d+|\d*\.\d+)$/.test(text) || value > 1) throw new Error('must be a number from 0 to 1, such as 0.1');
  return value;
};

/** Settings of traces. Without `TELECINE_OTLP_ENDPOINT` there are none. */
export const TRACE_SETTINGS = {
  otlpEndpoint: setting({
    names: ['TELECINE_OTLP_ENDPOINT'],
    about:
      'Collector to which traces are sent: OpenTelemetry, as OTLP over HTTP in JSON. `/v1/traces` is appended. Without it nothing is traced.',
    form: 'an http(s) address, such as http://127.0.0.1:4318',
    fallback: undefined,
    read: readWebAddress,
  }),
  otlpHeadersFile: setting({
    names: ['TELECINE_OTLP_HEADERS_FILE'],
    about: 'File with header fields for the collector, one `name: value` per line, such as one with its API key.',
    form: 'a file',
    fallback: undefined,
    read: readPath,
  }),
  traceRatio: setting({
    names: ['TELECINE_TRACE_RATIO'],
    about:
      'Share of the requests that are traced. If a request belongs to a trace already (`traceparent`), its sender decides.',
    form: '0 to 1',
    fallback: '1',
    read: readRatio,
  }),
} as const;
