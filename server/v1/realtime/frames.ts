import type { RawData } from "ws";
import { z } from "zod";
import { apiIdPattern } from "#platform/ids.ts";
import { parseBoundedJson } from "../json.ts";

const Channels = z.array(z.string().max(200), "channels is not present in payload.").max(100);
const SubscriptionId = z.string("subscriptionId is not a valid id.").regex(apiIdPattern, "subscriptionId is not a valid id.");
const Queries = z.array(z.string().max(4096)).max(100);

export const Frame = z.object({ type: z.string(), data: z.unknown().optional() });
export const Authentication = z.object({ session: z.string() });
export const Subscribe = z
  .array(z.object({ subscriptionId: SubscriptionId, channels: Channels, queries: Queries.default([]) }))
  .min(1)
  .max(100);
export const Unsubscribe = z
  .array(z.object({ subscriptionId: SubscriptionId }))
  .min(1)
  .max(100);

export type RequestedSubscription = z.output<typeof Subscribe>[number];

const maxFrameDepth = 8;

export function parseFrame(text: string): z.output<typeof Frame> | undefined {
  return Frame.safeParse(parseBoundedJson(text, maxFrameDepth)).data;
}

const unitsPerFrame = 10;
const bytesPerUnit = 50;

/** Charged before parsing, in proportion to length. */
export function costOfFrame(bytes: number): number {
  return unitsPerFrame + Math.ceil(bytes / bytesPerUnit);
}

/** Additional units: a session and an account are looked up. */
export const authenticationCost = 100;

export function bytesOf(data: RawData): number {
  return Array.isArray(data) ? data.reduce((sum, part) => sum + part.length, 0) : data.byteLength;
}
