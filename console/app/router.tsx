import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { readJobFilter } from '../jobs/job-filter.ts';
import { NotFound } from './not-found.tsx';
import { Root } from './root.tsx';

const rootRoute = createRootRoute({ component: Root, notFoundComponent: NotFound });

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/jobs', replace: true });
  },
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

/** The pages of the console. A page is loaded when it is first opened. */
export const createConsoleRouter = () =>
  createRouter({
    routeTree: rootRoute.addChildren([homeRoute, jobsRoute, jobRoute]),
    defaultPreload: 'intent',
    scrollRestoration: true,
  });

declare module '@tanstack/react-router' {
  interface Register {
    readonly router: ReturnType<typeof createConsoleRouter>;
  }
}
