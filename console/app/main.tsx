import '../ui/theme.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createConsoleRouter } from './router.tsx';
import { applyTheme } from './theme.ts';

applyTheme();
const queries = new QueryClient({
  // The client retries by itself where that is safe.
  defaultOptions: { queries: { retry: false, staleTime: 5000 }, mutations: { retry: false } },
});
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
