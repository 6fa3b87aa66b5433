import type { CallToolResult, Tool } from '@modelcontextprotocol/client';
import { applyFix, type ToolArguments } from '../support/apply-fix.ts';
import { errorOf, resultOf } from '../support/mcp-client.ts';
import { nextStep } from '../support/scripted-client.ts';
import type { ToolConnection } from './connections.ts';
import { costCounter, type TaskCost } from './task-cost.ts';
import { argumentSaying, callTemplate, exampleArgument, toolSaying } from './tool-texts.ts';
import type { Wish } from './wish.ts';

type Json = Readonly<Record<string, unknown>>;

/** A recipe as a model reads it. */
interface FoundRecipe {
  readonly name: string;
  readonly description: string;
  /** Roles, such as `picture, pictures…, music (optional, in arguments)`. */
  readonly inputs: string;
  /** Extensions, the usual one first. */
  readonly outputs: string;
  /** A text for each argument. */
  readonly arguments: Readonly<Record<string, string>>;
}

/** A picture that a tool returned. */
export interface SeenPicture {
  readonly bytes: Buffer;
  readonly text: string;
}

/** A fulfilled wish. */
interface Fulfilled {
  /** Paths of the outputs, the one that the call named first. */
  readonly outputs: readonly string[];
  /** The pictures of the result that the client looked at. */
  readonly pictures: readonly SeenPicture[];
}

/** An MCP client without a model, which knows only what the server says. One for each task. */
export interface ReadingClient {
  /** Finds a recipe for the wish, converts, waits, and looks at the result if the server says so. Throws if it fails. */
  fulfil(wish: Wish): Promise<Fulfilled>;
  /** All that the server says is wrong with a file when it is probed, and else when it is converted. Empty: nothing. */
  faultsOf(path: string, wish: Wish): Promise<readonly string[]>;
  /** The paths of the files in a folder. */
  list(folder: string): Promise<readonly string[]>;
  cost(): TaskCost;
}

const MOST_STEPS = 20;
const MOST_CORRECTIONS = 3;

export function readingClient(connection: ToolConnection, tools: readonly Tool[]): ReadingClient {
  const counter = costCounter();

  async function callOnce(tool: string, args: ToolArguments): Promise<CallToolResult> {
    const result = await connection.call(tool, args);
    counter.add(tool, args, result);
    return result;
  }

  /** Calls a tool, and corrects the call by the fix of its error. */
  async function call(tool: string, first: ToolArguments): Promise<CallToolResult> {
    let args = first;
    for (let corrections = 0; ; corrections += 1) {
      const result = await callOnce(tool, args);
      if (result.isError !== true) return result;
      const error = errorOf(result);
      counter.addWrongTurn(error.code);
      if (corrections === MOST_CORRECTIONS)
        throw new Error(`${tool} ${JSON.stringify(args)} → ${JSON.stringify(error)}`);
      args = applyFix(args, error);
    }
  }

  /** Makes the calls that the answers name in `next`. Returns the last answer. */
  async function follow(first: CallToolResult): Promise<Json> {
    let answer = resultOf<Json>(first);
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      const step = nextStep(String(answer['next']));
      if (step === undefined) return answer;
      answer = resultOf<Json>(await call(step.tool, step.args));
    }
    throw new Error(`Not finished after ${MOST_STEPS} steps: ${JSON.stringify(answer)}`);
  }

  async function findRecipe(words: string): Promise<{ readonly tool: Tool; readonly recipe: FoundRecipe }> {
    const tool = toolSaying(/ready-made/, tools);
    const found = resultOf<{ readonly recipes: readonly FoundRecipe[] }>(
      await call(tool.name, { [exampleArgument(tool)]: words }),
    );
    const [recipe] = found.recipes;
    if (recipe === undefined) throw new Error(`No recipe for "${words}": ${JSON.stringify(found)}`);
    return { tool, recipe };
  }

  /** The pictures of the tool that `next` names, which has an argument that the answer also has: the id of the job. */
  async function look(answer: Json): Promise<readonly SeenPicture[]> {
    const [, name, named] = /\bLook at it with (\w+)(?: and (\{[^}]*\}))?/.exec(String(answer['next'])) ?? [];
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) return [];
    const shared = Object.keys(tool.inputSchema.properties ?? {}).filter((one) => Object.hasOwn(answer, one));
    const others = named === undefined ? {} : (JSON.parse(named) as Json);
    const args = { ...Object.fromEntries(shared.map((one) => [one, answer[one]])), ...others };
    const { content } = await call(tool.name, args);
    const text = content.map((one) => (one.type === 'text' ? one.text : '')).join('\n');
    return content.flatMap((one) => (one.type === 'image' ? [{ bytes: Buffer.from(one.data, 'base64'), text }] : []));
  }

  /** Converts by the recipe for the wish, and waits for the end. Returns the finished job. */
  async function convert(wish: Wish): Promise<Json> {
    const { tool, recipe } = await findRecipe(wish.words);
    const template = callTemplate(tool);
    const about = tools.find(({ name }) => name === template.tool)?.description ?? '';
    return follow(await call(template.tool, requestOf(wish, recipe, template.args, about)));
  }

  return {
    cost: counter.cost,
    async list(folder) {
      const tool = toolSaying(/lists the files/i, tools);
      const { files } = resultOf<{ readonly files: readonly { readonly path: string }[] }>(
        await call(tool.name, { [argumentSaying(/that folder/, tool)]: `${folder}/` }),
      );
      return files.map(({ path }) => path);
    },
    async fulfil(wish) {
      const answer = await convert(wish);
      if (answer['error'] !== undefined) throw new Error(`The job failed: ${JSON.stringify(answer)}`);
      const outputs = (answer['outputs'] as readonly { readonly path: string }[]).map(({ path }) => path);
      return { outputs, pictures: await look(answer) };
    },
    async faultsOf(path, wish) {
      const probe = toolSaying(/reads (?:the header of )?a file/i, tools);
      const result = await callOnce(probe.name, { [argumentSaying(/^a path/i, probe)]: path });
      if (result.isError === true) return [errorOf(result).message];
      const { error, warnings = [] } = (await convert({ ...wish, files: [path] })) as {
        readonly error?: { readonly message: string };
        readonly warnings?: readonly { readonly message: string }[];
      };
      return [...(error === undefined ? [] : [error]), ...warnings].map(({ message }) => message);
    },
  };
}

/** Fills a wish into the call that the server shows. */
function requestOf(wish: Wish, recipe: FoundRecipe, template: Json, about: string): ToolArguments {
  const { listed, named } = inRoles(wish.files, recipe.inputs.split(/, (?![^(]*\))/));
  const [, several = ''] = /"(\w+)" is a list of them/.exec(about) ?? [];
  const preset = { name: recipe.name, arguments: { ...argumentsOf(wish, recipe), ...named } };
  const { input: _, ...rest } = template;
  return {
    ...rest,
    ...(listed.length === 1 ? { input: listed[0] } : { [several]: listed }),
    output: outputOf(wish, recipe),
    preset,
  };
}

/** Gives files to the roles of a recipe in order. A role "in arguments" takes the last file. */
function inRoles(files: readonly string[], roles: readonly string[]) {
  const listed = [...files];
  const byArgument = roles.flatMap((one) => (/\(.*\bin arguments\b.*\)/.test(one) ? [one.split(' ')[0] ?? ''] : []));
  const named = Object.fromEntries(byArgument.map((role) => [role, listed.pop()]));
  return { listed, named };
}

/** The arguments whose texts have the words of a wanted value. Throws if a value has none. */
function argumentsOf({ values = [] }: Wish, recipe: FoundRecipe): Json {
  return Object.fromEntries(
    values.map(({ words, value }) => {
      const found = Object.entries(recipe.arguments).find(([, text]) => words.test(text));
      if (found === undefined) throw new Error(`No argument of ${recipe.name} says ${words}`);
      return [found[0], value];
    }),
  );
}

/** A path in the folder of the wish: named as the recipe says, or with its usual extension. */
function outputOf({ folder }: Wish, { description, outputs }: FoundRecipe): string {
  const [, name] = /Name the output .*such as "([^"]+)"/.exec(description) ?? [];
  return `${folder}/${name ?? `result${outputs.split(' ')[0]}`}`;
}
