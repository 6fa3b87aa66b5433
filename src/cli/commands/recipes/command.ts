import type { Command } from 'commander';
import { addServiceOptions } from '../../session/command-options.ts';
import type { RecipesFlags } from './run.ts';

const HELP = `
  telecine recipes                              # all of them
  telecine recipes make it fit in 8 MB          # the best matches first
  telecine recipes --show target-size           # its inputs and arguments
  telecine recipes --add house-style.json       # a recipe of your own, named after the file
  telecine recipes --delete house-style
  telecine convert in.mov out.mp4 --preset target-size -a size=8`;

/** Adds `telecine recipes` to the program. */
export function addRecipesCommand(program: Command): void {
  addServiceOptions(
    program.command('recipes [words...]').description('find conversions by name, for telecine convert --preset'),
  )
    .option('--show <name>', 'one recipe with its inputs and arguments')
    .option('--add <file>', 'store a recipe of your own, or a newer version of it; its name is that of the file')
    .option('--delete <name>', 'delete a recipe of your own')
    .addHelpText('after', HELP)
    .action(async (words: string[], flags: RecipesFlags) => (await import('./run.ts')).runRecipes(words, flags));
}
