import { httpHint } from '@telecine/contract/wire/hint-text.ts';
import type { PlainHandlers } from '@telecine/contract/wire/operations/plain-handler.ts';
import { recordOf } from '../audit/audit-request.ts';
import { callerOf } from '../auth/authenticate.ts';
import { hangUpSignal } from '../server/hang-up.ts';
import type { Handler, Handlers } from './handler.ts';

/** The routes of operations that HTTP and MCP offer alike. `origin`: the URL of the service in links. */
export const plainRoutes = <Declared>(handlers: PlainHandlers<Declared>, origin = ''): Handlers<Declared> =>
  Object.fromEntries(
    Object.entries(handlers as PlainHandlers<Record<string, unknown>>).map(([id, handle]) => {
      const route: Handler<unknown> = async (request, reply) => {
        const { params, query } = request;
        const { status, body, location, facts } = await handle({
          ...{ params, query, body: request.body as undefined },
          ...{ caller: callerOf(request), signal: hangUpSignal(reply), words: httpHint, origin },
          auditRecord: (action, known) => recordOf(request, { action, outcome: 'done', via: 'rest', ...known }),
        });
        if (facts !== undefined) request.auditFacts = facts;
        if (location !== undefined) reply.header('location', location);
        reply.code(status);
        return body ?? reply.send();
      };
      return [id, route];
    }),
  ) as Handlers<Declared>;
