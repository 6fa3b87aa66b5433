import type { FileEntry } from '@telecine/client/api.ts';
import type { Command } from 'commander';
import { addVerb, type Call, type ServiceFlags } from '../session/service-verbs.ts';
import { pathOnServer, serverPath } from './convert/file-names.ts';

const HELP = `
  telecine files mv films/in.mov films/old/talk.mov   # moves or renames a file
  telecine files mv films/old/ archive/2026/          # a folder ends with a slash
  telecine files mkdir films/2026`;

export function declare(files: Command): void {
  files.addHelpText('after', HELP);
  addVerb(
    files.command('mv <from> <to>'),
    'move or rename a file or a folder of the media root',
    ({ client, signal, flags }: Call<ServiceFlags & { readonly y?: true }>, from = '', to = '') =>
      client.moveFile({ from: pathOnServer(from), to: pathOnServer(to), replace: flags.y ?? false }, { signal }),
    showPath,
  ).option('-y', 'replace an existing file');
  addVerb(
    files.command('mkdir <folder>'),
    'create an empty folder in the media root',
    ({ client, signal }, folder = '') => client.createFolder(pathOnServer(folder), { signal }),
    showPath,
  );
}

const showPath = ({ path }: FileEntry): readonly string[] => [serverPath(path)];
