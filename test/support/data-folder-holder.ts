// A program that locks the data folder of its first argument until it is killed.
import { lockDataFolder } from '../../packages/service/src/store/data-folder.ts';

lockDataFolder(process.argv[2] ?? '');
process.stdout.write('locked\n');
setInterval(() => {}, 1000);
