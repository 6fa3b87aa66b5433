// A program that locks the data folder of its first argument until it is killed.
import { holdDataFolder } from '../../src/store/data-folder.ts';

holdDataFolder(process.argv[2] ?? '');
process.stdout.write('held\n');
setInterval(() => {}, 1000);
