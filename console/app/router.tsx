import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { readFileSearch } from '../files/file-search.ts';
import { readJobFilter } from '../jobs/job-filter.ts';
import { NotFound } from './not-found.tsx';
import { Root } from './root.tsx';

const rootRoute = createRootRoute({ component: Root, notFoundComponent: NotFound });

export const workbenchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../workbench/workbench-page.tsx'), 'WorkbenchPage'),
});

export const jobsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/jobs',
  validateSearch: readJobFilter,
  component: lazyRouteComponent(() => import('../jobs/jobs-page.tsx'), 'JobsPage'),
});

export const jobRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/jobs/$jobId',
  component: lazyRouteComponent(() => import('../jobs/job-page.tsx'), 'JobPage'),
});

export const filesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/files',
  validateSearch: readFileSearch,
  component: lazyRouteComponent(() => import('../files/files-page.tsx'), 'FilesPage'),
});

/** The pages of the console. A page is loaded when it is first opened. */
export const createConsoleRouter = () =>
  createRouter({
    routeTree: rootRoute.addChildren([workbenchRoute, jobsRoute, jobRoute, filesRoute]),
    defaultPreload: 'intent',
    scrollRestoration: true,
  });

declare module '@tanstack/react-router' {
  interface Register {
    readonly router: ReturnType<typeof createConsoleRouter>;
  }
}
