// A process of its own that holds the data folder it is given until it is killed.
import { holdDataFolder } from '../../src/store/data-folder.ts';

holdDataFolder(process.argv[2] ?? '');
process.stdout.write('held\n');
setInterval(() => {}, 1000);
