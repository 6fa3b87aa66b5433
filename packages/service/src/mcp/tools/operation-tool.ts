import { defined } from '@telecine/contract/domain/defined.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';
import { type FieldError, invalidRequest } from '@telecine/contract/domain/problem.ts';
import { isMembers } from '@telecine/contract/domain/structured-values.ts';
import { fieldErrors } from '@telecine/contract/wire/explain.ts';
import type { Operation } from '@telecine/contract/wire/operations/operation.ts';
import type { PlainCall, PlainReply } from '@telecine/contract/wire/operations/plain-handler.ts';
import { z } from 'zod';
import type { McpDeps } from '../deps.ts';
import { UNTRUSTED_NOTE } from '../results/job-summary.ts';
import { modelHint } from '../results/model-hint.ts';
import { defineTool, type Tool, type ToolContext } from '../tool.ts';
import { toolsOf } from '../tool-names.ts';

/** An action of a tool: a declared operation. The result of the tool is the body of the reply, else the parameters. */
export interface Action {
  readonly of: Operation;
  run(
    sent: Pick<PlainCall<never>, 'params' | 'query' | 'body'>,
    context: ToolContext,
  ): Promise<{ readonly body?: object } & Pick<PlainReply<unknown>, 'facts'>>;
}

interface OperationTool extends Omit<Tool, 'input' | 'run' | 'check' | 'permissionOf'> {
  readonly actions: Readonly<Record<string, Action>>;
  /** The action whose permission a call without a known action needs. */
  readonly assumed: string;
}

/** The action of an operation that HTTP and MCP offer alike. */
export const operationAction = <O extends Operation>(
  of: O,
  handler: (deps: McpDeps) => (call: PlainCall<O>) => Promise<PlainReply<O>>,
): Action => ({
  of,
  run: (sent, { deps, call, signal }) => {
    const has = toolsOf(call.caller);
    const words = (hint: Hint) => modelHint(hint, has);
    return handler(deps)({ ...sent, ...call, signal, words });
  },
});

/** The schemas of the arguments of an operation: those of its path, its query and its body. Handlers check the parameters of a path. */
const partsOf = ({ params, query, body }: Operation) => ({
  params: z.object(Object.fromEntries(Object.keys(params?.shape ?? {}).map((name) => [name, z.string()]))),
  query: typeof query === 'object' ? query : z.object({}),
  body: body?.type === 'application/json' ? (body.schema as z.ZodObject) : z.object({}),
});

const membersOf = (operation: Operation): Readonly<Record<string, z.ZodType>> =>
  Object.assign({}, ...Object.values(partsOf(operation)).map(({ shape }) => shape));

/** A default must not be set for another action. */
const withoutDefault = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodDefault ? (schema.unwrap() as z.ZodType) : schema;

/** Defines a tool with an argument `action`. Its other arguments are those of the operations of its actions. */
export function operationTool({ actions, assumed, ...tool }: OperationTool): Tool {
  const names = Object.keys(actions);
  const all = Object.entries(Object.assign({}, ...Object.values(actions).map(({ of }) => membersOf(of))));
  const members = all.map(([name, schema]) => [name, withoutDefault(schema as z.ZodType).optional()]);
  const find = (args: unknown): Action | undefined =>
    isMembers(args) ? actions[names.find((name) => name === args['action']) ?? assumed] : actions[assumed];
  return defineTool({
    ...tool,
    input: z.strictObject({ action: z.enum(names), ...Object.fromEntries(members) }),
    permissionOf: (args) => {
      const { access, audit } = (find(args) as Action).of;
      const isExempt = audit?.isExempt?.({ query: args, body: args }) ?? false;
      return { scopes: access.by === 'token' ? access.scopes : [], ...(audit && !isExempt && { audit: audit.action }) };
    },
    run: async ({ action, ...args }: { readonly action: string } & Readonly<Record<string, unknown>>, context) => {
      const { of, run } = actions[action] as Action;
      const sent = argumentsOf(action, of, args);
      const { body, facts } = await run(sent as never, context);
      const { audit } = of;
      if (audit !== undefined && !audit.isDoneByHandler && !audit.isExempt?.(sent))
        await context.call.audit(audit.action, { ...defined({ target: args[audit.target] as string }), ...facts });
      return { structured: body === undefined ? (sent.params as object) : { ...body, note: UNTRUSTED_NOTE } };
    },
  });
}

/** Reads the arguments of an action. Rejects those of others: a call that is meant to show something could change it. */
function argumentsOf(action: string, of: Operation, args: Readonly<Record<string, unknown>>) {
  const own = membersOf(of);
  const errors: FieldError[] = Object.keys(args)
    .filter((name) => !Object.hasOwn(own, name))
    .map((name) => ({
      field: `/${name}`,
      code: 'CONFLICT',
      message: `"${name}" has no meaning with "action": "${action}".`,
    }));
  const read = Object.entries(partsOf(of)).map(([part, schema]) => {
    const value = Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(schema.shape, name)));
    const { data, error } = schema.safeParse(value);
    if (error) errors.push(...fieldErrors(schema, error.issues, value));
    return [part, data];
  });
  if (errors.length > 0) throw invalidRequest(errors);
  return Object.fromEntries(read) as Readonly<Record<'params' | 'query' | 'body', unknown>>;
}
