import type { Route } from '@hilum/contract/route'
import { routesByArea } from '@hilum/contract/routes/all-routes'

/** A declared route, with the part of the API page that it stands in. */
export interface DescribedRoute {
  area: keyof typeof routesByArea
  /** Of its declaration. */
  name: string
  route: Route
}

/** Every route of the server but the calls and the web app. */
export const describedRoutes: readonly DescribedRoute[] = Object.entries(routesByArea).flatMap(([area, routes]) =>
  Object.entries(routes).map(([name, route]: [string, Route]) => ({
    area: area as DescribedRoute['area'],
    name,
    route,
  })),
)
