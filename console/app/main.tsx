import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '../ui/theme.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ignoreDrops } from './ignore-drops.ts';
import { createQueryClient } from './query-client.ts';
import { createConsoleRouter } from './router.tsx';
import { applyTheme } from './theme.ts';

applyTheme();
ignoreDrops();
const queries = createQueryClient();
const router = createConsoleRouter();
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element "root".');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
