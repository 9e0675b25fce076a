import type { ActionFunctionArgs, LoaderFunctionArgs } from "react-router";

/** What loaders and actions are called with. */
export type RouteArgs = LoaderFunctionArgs | ActionFunctionArgs;

export type RouteFunction = (args: RouteArgs) => unknown;
