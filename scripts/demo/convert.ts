import { createClient } from '../../packages/client/src/client.ts';
import type { AcceptedView } from '../../packages/contract/src/wire/accepted.ts';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import { adminLogin, call } from '../lib/api.ts';
import { ok, type Say } from '../setup/say.ts';
import { openBoard } from './board.ts';
import { body, type DemoConversion } from './conversions.ts';

/** The time limit of the demo, for jobs that never end. Even a slow machine needs much less. */
const DEADLINE_MS = 10 * 60_000;

/** Runs all conversions on the service at `url` and shows their progress. Returns the finished jobs in order. */
export async function convert(
  url: string,
  dataDir: string,
  list: readonly DemoConversion[],
  say: Say,
  signal: AbortSignal,
): Promise<readonly JobView[]> {
  const { accessToken: token, expiresIn } = await adminLogin(url, dataDir);
  say(ok('token', `POST /api/auth/token: a bearer token for ${expiresIn / 60} minutes`));
  const from = performance.now();
  const accepted = await Promise.all(list.map((conversion) => submit(url, token, conversion)));
  const mcp = list.filter((conversion) => conversion.endpoint === '/mcp').length;
  const endpoints = `${list.length - mcp} by POST /api/conversion, ${mcp} by POST /mcp`;
  say(
    ok(
      'submitted',
      `${endpoints}; each answered 202 with its job id, all within ${Math.ceil(performance.now() - from)} ms\n`,
    ),
  );
  const board = openBoard(list.map((conversion) => conversion.title));
  const ids = accepted.map(({ jobId }) => jobId);
  const client = createClient(url, { accessToken: token });
  const within = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
  return Promise.all(
    ids.map((id, i) => client.wait(id, { signal: within, onUpdate: (job) => board.show(i, job) })),
  ).finally(() => board.close());
}

/** Submits one conversion by REST or MCP. Throws unless the reply is a 202 as documented. */
async function submit(url: string, token: string, conversion: DemoConversion): Promise<AcceptedView> {
  const { status, body: accepted } = await call<AcceptedView>(`${url}${conversion.endpoint}`, {
    token,
    body: body(conversion),
  });
  if (status === 202 && accepted.status === 'PENDING' && accepted.jobId && accepted.message) return accepted;
  throw new Error(
    `POST ${conversion.endpoint} (${conversion.title}) → ${status}\n${JSON.stringify(accepted, null, 2)}`,
  );
}
