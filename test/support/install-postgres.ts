import { ensurePostgres } from '../../scripts/setup/tools.ts';
import { installTool } from './install-tool.ts';

export default installTool(ensurePostgres);
