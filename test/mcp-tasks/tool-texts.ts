import type { Tool } from '@modelcontextprotocol/client';

type Json = Readonly<Record<string, unknown>>;

/** The tool whose title or description has the words. Throws if none has. */
export function toolSaying(words: RegExp, tools: readonly Tool[]): Tool {
  const found = tools.find(({ title = '', description = '' }) => words.test(`${title}\n${description}`));
  if (found === undefined) throw new Error(`No tool says ${words}`);
  return found;
}

/** The argument whose description has the words. Throws if none has. */
export function argumentSaying(words: RegExp, { name, inputSchema }: Tool): string {
  const found = Object.entries(inputSchema.properties ?? {}).find(([, about]) =>
    words.test(String((about as Json)['description'])),
  );
  if (found === undefined) throw new Error(`No argument of ${name} says ${words}`);
  return found[0];
}

/** The argument that the first example in the description has. */
export function exampleArgument({ name, description = '' }: Tool): string {
  const [, argument] = /\{"(\w+)": /.exec(description) ?? [];
  if (argument === undefined) throw new Error(`The description of ${name} has no example`);
  return argument;
}

/** A call as a description writes it, with null for each value that the caller fills in. */
interface CallTemplate {
  readonly tool: string;
  readonly args: Json;
}

/** Parses `call convert_media with {"input": …, "preset": {"name": NAME, "arguments": {…}}}`. */
export function callTemplate({ name, description = '' }: Tool): CallTemplate {
  const [, tool, args] = /\bcall (\w+) with (\{.*\}\})/.exec(description) ?? [];
  if (tool === undefined || args === undefined) throw new Error(`The description of ${name} names no call`);
  const json = args.replaceAll('{…}', '{}').replaceAll(/…|\b[A-Z]{2,}\b/g, 'null');
  return { tool, args: JSON.parse(json) as Json };
}
