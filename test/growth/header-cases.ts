import type { OperationId } from '../../packages/contract/src/wire/endpoints.ts';

/** An operation that reads a header, and the parts of which the test makes a long value of the header. */
interface HeaderCase {
  readonly operation: OperationId;
  readonly start?: string;
  readonly parts: readonly string[];
  /** Other headers without which it is not read. */
  readonly more?: Readonly<Record<string, string>>;
}

const TUS = { 'tus-resumable': '1.0.0', 'upload-length': '10' };

/** Every header that the service parses, by its name in lower case. */
export const HEADER_CASES: readonly (readonly [string, HeaderCase])[] = [
  ['accept', { operation: 'submitForModel', parts: ['a/b,', 'text/event-stream;', ' '] }],
  ['accept-encoding', { operation: 'getOpenApi', parts: ['gzip,', 'gzip;q=0.1,', ';', ' '] }],
  ['authorization', { operation: 'getJob', start: 'Bearer ', parts: ['a', ' ', '.', 'eyJ.'] }],
  ['authorization', { operation: 'oauthToken', start: 'Basic ', parts: ['YTph', '%', ' '] }],
  ['content-encoding', { operation: 'submitConversion', parts: ['gzip,', ' '] }],
  ['content-range', { operation: 'uploadFile', start: 'bytes ', parts: ['1-', ' '] }],
  ['content-type', { operation: 'submitConversion', start: 'application/json', parts: ['; a=b', ';', ' ', '"'] }],
  [
    'cookie',
    { operation: 'getSession', more: { authorization: '' }, parts: ['a=b; ', 'telecine=a; ', '%41', ';', ' ', '"'] },
  ],
  ['host', { operation: 'submitForModel', parts: ['a.', ':', '1'] }],
  ['idempotency-key', { operation: 'submitConversion', parts: ['a', ' ', 'é'] }],
  ['if-match', { operation: 'uploadFile', parts: ['"a",', '"', ' '] }],
  ['if-none-match', { operation: 'downloadFile', parts: ['"a",', 'W/"a",', ' '] }],
  ['if-range', { operation: 'downloadFile', parts: ['"a"', ' '] }],
  ['last-event-id', { operation: 'followJobs', parts: ['1', ' ', '-'] }],
  ['mcp-protocol-version', { operation: 'submitForModel', parts: ['2025-', ' '] }],
  ['mcp-session-id', { operation: 'submitForModel', parts: ['a', ' '] }],
  ['origin', { operation: 'getSession', parts: ['http://a.', ':', ' '] }],
  ['prefer', { operation: 'getJob', parts: ['wait=1,', ';', 'a="b",', ' '] }],
  ['range', { operation: 'downloadFile', start: 'bytes=', parts: ['1-2,', '-', ' '] }],
  ['sec-fetch-site', { operation: 'endSession', parts: ['same-', ' '] }],
  ['traceparent', { operation: 'getJob', start: '00-', parts: ['a', '0af7651916cd43dd8448eb211c80319c-', '-', ' '] }],
  ['tracestate', { operation: 'getJob', parts: ['a=b,', ' '] }],
  ['tus-resumable', { operation: 'createUpload', parts: ['1.', ' '] }],
  ['upload-length', { operation: 'createUpload', more: TUS, parts: ['1', ' ', '-'] }],
  ['upload-metadata', { operation: 'createUpload', more: TUS, parts: ['a YQ==,', 'a ', ',', ' ', 'path YQ==,', 'a'] }],
  ['upload-offset', { operation: 'appendToUpload', more: TUS, parts: ['1', ' ', '-'] }],
  ['user-agent', { operation: 'submitForModel', parts: ['a/1 ', '(', '\u00ff'] }],
  ['x-forwarded-for', { operation: 'getJob', parts: ['1.2.3.4, ', ',', '::'] }],
  ['x-http-method-override', { operation: 'appendToUpload', parts: ['PATCH', ' '] }],
  ['x-telecine-session', { operation: 'getSession', parts: ['1', ' '] }],
];

/** Headers that are only compared or passed on, with the reason why their length means nothing. */
export const NOT_PARSED: Readonly<Record<string, string>> = {
  'access-control-request-method': 'whether it is there',
  'content-length': 'Node has parsed it as a number',
  'if-modified-since': 'Date.parse; texts.test.ts counts it',
  'if-unmodified-since': 'Date.parse; texts.test.ts counts it',
  'transfer-encoding': 'Node has parsed it',
};
