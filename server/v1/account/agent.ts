import Bowser from "bowser";

export type Agent = {
  osCode: string;
  osName: string;
  osVersion: string;
  clientType: string;
  clientCode: string;
  clientName: string;
  clientVersion: string;
  clientEngine: string;
  clientEngineVersion: string;
  deviceName: string;
  deviceBrand: string;
  deviceModel: string;
};

const osCodes: Record<string, string> = { Linux: "LIN", Windows: "WIN", macOS: "MAC", Android: "AND", iOS: "IOS", "Chrome OS": "COS" };
const clientCodes: Record<string, string> = { Chrome: "CH", Firefox: "FF", Safari: "SF", "Microsoft Edge": "PS", Opera: "OP" };

export function readAgent(userAgent: string | null): Agent {
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
