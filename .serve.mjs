import { startService } from './scripts/lib/service.ts';
import { mkdirSync } from 'node:fs';
mkdirSync('/tmp/bx/data',{recursive:true}); mkdirSync('/tmp/bx/media',{recursive:true});
const s = await startService({dataDir:'/tmp/bx/data', mediaRoot:'/tmp/bx/media', env:{TELECINE_SANDBOX:'auto', TELECINE_DATA_DIR:'/tmp/bx/data', TELECINE_MEDIA_ROOT:'/tmp/bx/media'}});
const { spawnSync } = await import('node:child_process');
const r = spawnSync(process.execPath, ['.explore.mjs', s.url, '/tmp/bx/data'], {encoding:'utf8'});
console.log(r.stdout, r.stderr); await s.stop();
