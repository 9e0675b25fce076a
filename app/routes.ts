import { index, type RouteConfig } from "@react-router/dev/routes";

/** Every address of the site that is a page. */
export default [index("pages/landing-page.tsx")] satisfies RouteConfig;
