const KINDS = 'formats|codecs|filters|options';

/** The tool has one pair of words for both kinds. */
const USES: Readonly<Record<string, string>> = { read: 'input', decode: 'input', write: 'output', encode: 'output' };

/** What the texts of the service say of its HTTP paths, as tools to call. */
const WORDINGS: readonly (readonly [RegExp, string | ((...groups: string[]) => string)])[] = [
  [
    new RegExp(`GET /api/capabilities/(${KINDS})\\?(?:use=(\\w+)&)?q=WORDS`, 'g'),
    (_, kind, use) =>
      `call describe_capabilities with {"kind": "${kind}"${use === undefined ? '' : `, "use": "${USES[use]}"`}, "query": WORDS}`,
  ],
  [
    new RegExp(`GET /api/capabilities/(${KINDS})/([\\w-]+)`, 'g'),
    'describe_capabilities with {"kind": "$1", "name": "$2"}',
  ],
  [new RegExp(`GET /api/capabilities/(${KINDS})`, 'g'), 'describe_capabilities with {"kind": "$1"}'],
  [/GET its log, or retry it\./g, 'Call get_job for the reason, or convert_media again.'],
  [
    /GET \/api\/files shows what is there now; retry the job to make it again\./g,
    'Call convert_media to make it again.',
  ],
];

/** A text of the service in words for a model, which has tools and no HTTP. */
export const forModel = (text: string): string =>
  WORDINGS.reduce((said, [pattern, instead]) => said.replace(pattern, instead as string), text);
