import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { openSqlite, type Store } from '../../store/open.ts';

/** The database of the data folder. */
export const openStore = (config: Pick<Config, 'dataDir'>): Promise<Store> =>
  openSqlite(join(config.dataDir, 'telecine.db'));
