import Bowser from "bowser";
import { texts } from "../params.ts";

export const agentFields = {
  ...texts("osCode", "osName", "osVersion", "clientType", "clientCode", "clientName", "clientVersion"),
  ...texts("clientEngine", "clientEngineVersion", "deviceName", "deviceBrand", "deviceModel"),
};

const osCodes: Record<string, string> = { Linux: "LIN", Windows: "WIN", macOS: "MAC", Android: "AND", iOS: "IOS", "Chrome OS": "COS" };
const clientCodes: Record<string, string> = { Chrome: "CH", Firefox: "FF", Safari: "SF", "Microsoft Edge": "PS", Opera: "OP" };

export function readAgent(userAgent: string | null): Record<keyof typeof agentFields, string> {
  const { os, browser, engine, platform } = userAgent ? Bowser.parse(userAgent) : { os: {}, browser: {}, engine: {}, platform: {} };
  const isBrowser = engine.name !== undefined;
  return {
    osCode: osCodes[os.name ?? ""] ?? "",
    osName: os.name ?? "",
    osVersion: os.version ?? "",
    clientType: isBrowser ? "browser" : "",
    clientCode: clientCodes[browser.name ?? ""] ?? "",
    clientName: browser.name ?? "",
    clientVersion: browser.version ?? "",
    clientEngine: engine.name ?? "",
    clientEngineVersion: engine.version ?? "",
    deviceName: platform.type ?? "",
    deviceBrand: platform.vendor ?? "",
    deviceModel: platform.model ?? "",
  };
}
