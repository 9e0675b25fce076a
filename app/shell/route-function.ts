import type { ActionFunctionArgs, LoaderFunctionArgs } from "react-router";

export type RouteArgs = LoaderFunctionArgs | ActionFunctionArgs;

export type RouteFunction = (args: RouteArgs) => unknown;
