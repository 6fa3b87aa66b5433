import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { readFileSearch } from '../files/file-search.ts';
import { readJobFilter } from '../jobs/job-filter.ts';
import type { AuditFilter } from '../operate/audit/audit-filter.ts';
import { readSpan } from '../operate/queue/history-span.ts';
import { readUsageSearch } from '../operate/usage/usage-search.ts';
import { readRecipeSearch } from '../recipes/recipe-search-params.ts';
import { readWorkbenchSearch } from '../workbench/workbench-search.ts';
import { loadPart } from './load-part.ts';
import { PageError } from './page-error.tsx';
import { Root } from './root.tsx';

/** Defines a page whose code is loaded when the page is first opened. */
const page = <Module extends object, Name extends keyof Module>(load: () => Promise<Module>, name: Name) =>
  lazyRouteComponent(() => loadPart(load), name);

const rootRoute = createRootRoute({
  component: Root,
  notFoundComponent: page(() => import('./not-found.tsx'), 'NotFound'),
});

const workbenchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: readWorkbenchSearch,
  component: page(() => import('../workbench/workbench-page.tsx'), 'WorkbenchPage'),
});

const jobsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/jobs',
  validateSearch: readJobFilter,
  component: page(() => import('../jobs/jobs-page.tsx'), 'JobsPage'),
});

const jobRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/jobs/$jobId',
  component: page(() => import('../jobs/job-page.tsx'), 'JobPage'),
});

const filesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/files',
  validateSearch: readFileSearch,
  component: page(() => import('../files/files-page.tsx'), 'FilesPage'),
});

const watchesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/watches',
  component: page(() => import('../watches/watches-page.tsx'), 'WatchesPage'),
});

const newWatchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/watches/new',
  component: page(() => import('../watches/watch-form.tsx'), 'NewWatchPage'),
});

const watchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/watches/$watchId',
  component: page(() => import('../watches/watch-page.tsx'), 'WatchPage'),
});

const editWatchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/watches/$watchId/edit',
  component: page(() => import('../watches/watch-form.tsx'), 'EditWatchPage'),
});

const recipesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/recipes',
  component: page(() => import('../recipes/recipes-page.tsx'), 'RecipesPage'),
});

const recipeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/recipes/$recipeName',
  validateSearch: readRecipeSearch,
  component: page(() => import('../recipes/recipe-page.tsx'), 'RecipePage'),
});

const operateRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operate',
  component: page(() => import('../operate/operate-layout.tsx'), 'OperateLayout'),
});

const queueRoute = createRoute({
  getParentRoute: () => operateRoute,
  path: '/queue',
  validateSearch: readSpan,
  component: page(() => import('../operate/queue/queue-page.tsx'), 'QueuePage'),
});

const workersRoute = createRoute({
  getParentRoute: () => operateRoute,
  path: '/workers',
  component: page(() => import('../operate/workers/workers-page.tsx'), 'WorkersPage'),
});

const clientsRoute = createRoute({
  getParentRoute: () => operateRoute,
  path: '/clients',
  component: page(() => import('../operate/clients/clients-page.tsx'), 'ClientsPage'),
});

const webhooksRoute = createRoute({
  getParentRoute: () => operateRoute,
  path: '/webhooks',
  component: page(() => import('../operate/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});

const webhookRoute = createRoute({
  getParentRoute: () => operateRoute,
  path: '/webhooks/$webhookId',
  component: page(() => import('../operate/webhooks/webhook-page.tsx'), 'WebhookPage'),
});

const usageRoute = createRoute({
  getParentRoute: () => operateRoute,
  path: '/usage',
  validateSearch: readUsageSearch,
  component: page(() => import('../operate/usage/usage-page.tsx'), 'UsagePage'),
});

const sharesRoute = createRoute({
  getParentRoute: () => operateRoute,
  path: '/shares',
  component: page(() => import('../operate/shares/shares-page.tsx'), 'SharesPage'),
});

const uploadLinkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/s/$link',
  component: page(() => import('../uploads/upload-link-page.tsx'), 'UploadLinkPage'),
});

const auditRoute = createRoute({
  getParentRoute: () => operateRoute,
  path: '/audit',
  // The page checks the values, so that the names of all actions are not loaded with the first page.
  validateSearch: (query: Readonly<Record<string, unknown>>) => query as AuditFilter,
  component: page(() => import('../operate/audit/audit-page.tsx'), 'AuditPage'),
});

const healthRoute = createRoute({
  getParentRoute: () => operateRoute,
  path: '/health',
  component: page(() => import('../operate/health/health-page.tsx'), 'HealthPage'),
});

const operateRoutes = operateRoute.addChildren([
  queueRoute,
  workersRoute,
  clientsRoute,
  webhooksRoute,
  webhookRoute,
  usageRoute,
  sharesRoute,
  auditRoute,
  healthRoute,
]);

export const createConsoleRouter = () =>
  createRouter({
    routeTree: rootRoute.addChildren([
      workbenchRoute,
      jobsRoute,
      jobRoute,
      filesRoute,
      watchesRoute,
      newWatchRoute,
      watchRoute,
      editWatchRoute,
      recipesRoute,
      recipeRoute,
      operateRoutes,
      uploadLinkRoute,
    ]),
    defaultPreload: 'intent',
    defaultErrorComponent: PageError,
    scrollRestoration: true,
  });

declare module '@tanstack/react-router' {
  interface Register {
    readonly router: ReturnType<typeof createConsoleRouter>;
  }
}
