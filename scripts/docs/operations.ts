import { ENDPOINTS, type OperationId } from '../../packages/contract/src/wire/endpoints.ts';
import type { Access, Operation, Tag } from '../../packages/contract/src/wire/operations/operation.ts';
import { EACH_OPERATION } from '../../packages/contract/src/wire/operations/operations.ts';

/** Returns the text of docs/api/operations.md: a row for each operation of the OpenAPI document. */
export function operationsManual(): string {
  const rows = (Object.keys(EACH_OPERATION) as OperationId[]).map((id) => ({
    ...ENDPOINTS[id],
    ...about(EACH_OPERATION[id]),
  }));
  const tags = Map.groupBy(rows, ({ tag }) => tag);
  return [
    HEAD,
    ...[...tags].map(([tag, operations]) =>
      [
        `## ${TITLES[tag] ?? tag}`,
        '',
        '| operation | what it does | needs |',
        '|---|---|---|',
        ...operations.map(({ method, path, summary, needs }) => `| \`${method} ${path}\` | ${summary} | ${needs} |`),
      ].join('\n'),
    ),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

const HEAD = `# Operations

Each operation of the API, with the scopes that its token needs. \`GET /openapi.json\` of a running service has the schemas of requests and
replies (OpenAPI 3.1), and \`GET /docs\` shows them as a page. This page is generated from the same declarations by \`npm run docs\`.`;

/** Headings for tags that are not clear enough as headings. */
const TITLES: Partial<Readonly<Record<Tag, string>>> = { Operation: 'For administrators' };

const about = ({ tag, summary, access }: Operation) => ({ tag, summary, needs: needsOf(access) });

const LINK_NAMES = {
  output: 'the signed link',
  upload: 'the shared link',
  share: 'the shared link',
} as const;

function needsOf(access: Access): string {
  switch (access.by) {
    case 'nothing':
      return 'nothing';
    case 'token':
      return access.scopes.length === 0 ? 'a token' : access.scopes.map((scope) => `\`${scope}\``).join(', ');
    case 'session':
      return 'a session of the console';
    case 'link':
      return LINK_NAMES[access.to];
    case 'client secret':
      return 'client id and secret';
  }
}
