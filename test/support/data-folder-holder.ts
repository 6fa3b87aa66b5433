// A process of its own that holds the data folder it is given until it is killed.
import { lockDataFolder } from '../../src/store/data-folder.ts';

lockDataFolder(process.argv[2] ?? '');
process.stdout.write('held\n');
setInterval(() => {}, 1000);
