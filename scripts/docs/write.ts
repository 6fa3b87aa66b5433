import { writeFileSync } from 'node:fs';
import { GENERATED_PAGES } from './pages.ts';

for (const [page, text] of Object.entries(GENERATED_PAGES))
  writeFileSync(new URL(`../../${page}`, import.meta.url), text());
