import type { ListedRecipe, RecipeArgument } from '@telecine/contract/domain/recipe.ts';

/** Describes a recipe for a model: its inputs and arguments in words. */
export const describeRecipe = ({
  name,
  title,
  description,
  inputs,
  outputs,
  arguments: own,
  source,
  request,
  unavailable,
}: ListedRecipe) => ({
  name,
  title,
  description,
  inputs: `${rolesText(inputs)}${takesOneAudio({ inputs, request }) ? ANOTHER_AUDIO : ''}`,
  outputs: outputs.map((one) => `.${one}`).join(' '),
  ...(request.outputs && { besides: request.outputs.flatMap(({ suffix }) => suffix ?? []).join(' ') }),
  arguments: Object.fromEntries([
    ...argumentRoles(inputs).map(({ role, description: about, optional }) => [
      role,
      `path of a file, ${optional === true ? 'optional' : 'required'}. ${about}`,
    ]),
    ...Object.entries(own).map(([argument, about]) => [argument, typeText(about)]),
  ]),
  ...(source !== 'built-in' && { source }),
  ...(unavailable !== undefined && { unavailable }),
});

/** Whether a recipe reads only one audio stream. A file may have several, and the model must choose one. */
const takesOneAudio = ({ inputs: [first, ...others], request }: Pick<ListedRecipe, 'inputs' | 'request'>): boolean =>
  first?.role === 'sound' &&
  others.length === 0 &&
  first.many !== true &&
  request.outputs === undefined &&
  request.cut === undefined &&
  request.parameters['filter_complex'] === undefined;

const ANOTHER_AUDIO = ' (one of several: "parameters": {"map": "0:a:1"} for the second)';

/** Returns the roles after a role that takes all remaining inputs. Their files can only be named by arguments. */
function argumentRoles(inputs: ListedRecipe['inputs']): ListedRecipe['inputs'] {
  const taker = inputs.findIndex(({ many }) => many === true);
  return taker < 0 ? [] : inputs.slice(taker + 1);
}

/** Formats the roles in their order: `picture, pictures… (optional), music (optional, in arguments)`. */
function rolesText(inputs: ListedRecipe['inputs']): string {
  const inArguments = argumentRoles(inputs);
  return inputs
    .map((input) => {
      const { role, optional, many } = input;
      const notes = [
        ...(optional === true ? ['optional'] : []),
        ...(inArguments.includes(input) ? ['in arguments'] : []),
      ];
      return `${role}${many === true ? '…' : ''}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
    })
    .join(', ');
}

/** Describes an argument in a few words: `number 16-4320, optional. The height in pixels.` */
function typeText(argument: RecipeArgument): string {
  const { required, default: usual, description } = argument;
  const need = required === true ? ', required' : usual === undefined ? ', optional' : `, default ${usual}`;
  return `${valuesText(argument)}${need}. ${description}`;
}

function valuesText(argument: RecipeArgument): string {
  switch (argument.type) {
    case 'choice':
      return Object.keys(argument.choices).join(' | ');
    case 'number':
      return `${argument.integer === true ? 'integer' : 'number'} ${argument.min} to ${argument.max}${argument.unit === undefined ? '' : ` ${argument.unit}`}`;
    case 'time':
      return argument.share === true ? 'seconds, "m:ss", "middle" or "25%"' : 'seconds or "m:ss"';
    default:
      return argument.type;
  }
}
