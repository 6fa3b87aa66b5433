/** Settings of a service that accepts any number of submissions. */
export const NO_RATE_LIMITS = {
  TELECINE_CLIENT_LIMITS: 'submissions=none,pending=none,tokens=1000000',
  TELECINE_SERVICE_LIMITS: 'pending-in-all=none',
} as const;
