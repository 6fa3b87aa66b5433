import { type ConversionRequest, type FileSpec, pathOfInput } from '@telecine/contract/domain/conversion.ts';
import { extension, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import type { Preset, RecipeDefinition, RecipeInput } from '@telecine/contract/domain/recipe.ts';
import { HIDDEN } from '@telecine/contract/domain/secret-options.ts';
import { hideUrlSecrets } from '@telecine/contract/domain/url-input.ts';
import { fileKind } from '@telecine/ffmpeg/plan/request/format-names.ts';
import { argumentField } from './arguments.ts';

/** An input of a request with its role in the recipe. */
export interface RoleInput {
  readonly role: RecipeInput;
  readonly spec: FileSpec;
  /** The JSON Pointer to the path of the input in the request. */
  readonly field: string;
  /** Whether the path is one of the `arguments` of the preset. */
  readonly isArgument: boolean;
}

/**
 * Assigns a role to each input of a request. Listed inputs fill the roles in order, and arguments fill the remaining roles. A job's request
 * has inputs in both lists: the argument states the role, and the listed input has the options.
 */
export function assignInputs(
  { input, inputs }: ConversionRequest,
  { arguments: own = {}, inputUrls = {} }: Preset,
  { name, inputs: roles, arguments: known }: RecipeDefinition,
  errors: FieldError[],
): readonly RoleInput[] {
  const sent = { ...own, ...inputUrls };
  errors.push(...Object.keys(inputUrls).flatMap((one) => (Object.hasOwn(known, one) ? notAnInput(name, one) : [])));
  const listed = (inputs ?? [input ?? '']).flatMap((one, index) => {
    const path = pathOfInput(one);
    if (path === undefined) {
      errors.push(sourceInRecipe(name, `/inputs/${index}/source`));
      return [];
    }
    const [spec, field] = typeof one === 'string' ? [{}, `/inputs/${index}`] : [one, `/inputs/${index}/input`];
    return [{ spec: { ...spec, input: path }, field: inputs === undefined ? '/input' : field }];
  });
  const named = takeNamed(roles, sent, listed);
  const assigned: RoleInput[] = [];
  for (const [index, role] of roles.entries()) {
    const own =
      role.many === true ? listed.slice(index) : afterMany(roles, index) ? [] : listed.slice(index, index + 1);
    const path = index > 0 && Object.hasOwn(sent, role.role) ? sent[role.role] : undefined;
    const argument = { role, field: argumentField(role.role), isArgument: true };
    if (path !== undefined && own.length > 0) errors.push(sentTwice(role.role, own[0]?.field ?? ''));
    else if (typeof path === 'string') assigned.push({ ...argument, spec: named.get(role.role) ?? { input: path } });
    else if (path !== undefined) errors.push(notAPath(role.role));
    for (const one of own) assigned.push({ role, ...one, isArgument: false });
    const audio = role.many === true && role.duration !== undefined ? audioRole(roles.slice(index + 1)) : undefined;
    if (audio !== undefined)
      errors.push(...own.filter(({ spec }) => isAudio(spec.input)).map((one) => audioAmongImages(audio, one)));
    if (path === undefined && own.length === 0 && role.optional !== true) errors.push(missingInput(name, role));
  }
  const isOpen = roles.some(({ many }) => many === true);
  const extra = isOpen ? undefined : listed[roles.length];
  if (extra !== undefined) errors.push(tooMany(name, roles, listed.length, extra.field));
  return assigned;
}

/**
 * Finds inputs that are listed and also named in arguments, as in a job's request. Removes them from the end of `listed`, and returns them
 * by role.
 */
function takeNamed(
  roles: readonly RecipeInput[],
  sent: NonNullable<Preset['arguments']>,
  listed: { readonly spec: FileSpec }[],
): ReadonlyMap<string, FileSpec> {
  const named = new Map<string, FileSpec>();
  for (const { role } of roles.slice(1).toReversed()) {
    const last = listed.length > 1 && Object.hasOwn(sent, role) ? listed.at(-1) : undefined;
    if (last === undefined || last.spec.input !== sent[role]) continue;
    named.set(role, last.spec);
    listed.pop();
  }
  return named;
}

/** The role of an audio input that only an argument can name. */
const audioRole = (later: readonly RecipeInput[]): RecipeInput | undefined =>
  later.find(({ description }) => /\b(?:sound|audio)\b/i.test(description));

const isAudio = (path: string): boolean => fileKind(extension(path as MediaPath)) === 'audio';

const audioAmongImages = (
  { role }: RecipeInput,
  { spec, field }: { readonly spec: FileSpec; readonly field: string },
): FieldError => ({
  field,
  code: 'NOT_A_STILL',
  message: `${JSON.stringify(hideUrlSecrets(spec.input))} is an audio file, but "inputs" are the images. An audio file is the argument "${role}".`,
});

const sourceInRecipe = (recipe: string, field: string): FieldError => ({
  field,
  code: 'NOT_A_FILE',
  message: `The recipe "${recipe}" accepts only files, but this input is a source.`,
});

const afterMany = (roles: readonly RecipeInput[], index: number): boolean =>
  roles.slice(0, index).some(({ many }) => many === true);

const sentTwice = (role: string, field: string): FieldError => ({
  field: argumentField(role),
  code: 'EXCLUSIVE',
  message: `The argument "${role}" and ${field} both send the input "${role}".`,
});

const notAnInput = (recipe: string, name: string): FieldError => ({
  field: argumentField(name),
  code: 'HIDDEN_PART',
  message: `The URL has ${HIDDEN}, which is kept only for an input, but "${name}" of the recipe "${recipe}" is not an input now.`,
});

const notAPath = (role: string): FieldError => ({
  field: argumentField(role),
  code: 'BAD_ARGUMENT',
  message: `The argument "${role}" must be the path of a file.`,
});

const missingInput = (recipe: string, { role, description }: RecipeInput): FieldError => ({
  field: argumentField(role),
  code: 'MISSING',
  message: `The recipe "${recipe}" needs the input "${role}": ${description}`,
});

const tooMany = (recipe: string, roles: readonly RecipeInput[], count: number, field: string): FieldError => ({
  field,
  code: 'TOO_MANY',
  message: `The recipe "${recipe}" reads ${roles.length === 1 ? 'one input' : `at most ${roles.length} inputs`}, but the request has ${count}: ${roles.map((one) => one.role).join(', ')}.`,
});
