import { declaredJobs } from './declared-jobs.ts'

/** Names of the jobs of this release that come by themselves at their times. */
export const clockJobs: readonly string[] = Object.values(declaredJobs)
  .filter(({ clock }) => clock !== undefined)
  .map(({ name }) => name)
