import type { FileEntry } from '@telecine/client/api.ts';
import type { Command } from 'commander';
import { addOperationVerbs } from '../session/operation-verbs.ts';
import { pathOnServer, serverPath } from './convert/file-names.ts';

export const declare = (files: Command): void =>
  addOperationVerbs(files, {
    moveFile: { read: { from: pathOnServer, to: pathOnServer }, show: showPath },
    createFolder: { read: { path: pathOnServer }, show: showPath },
  });

const showPath = ({ path }: FileEntry): readonly string[] => [serverPath(path)];
