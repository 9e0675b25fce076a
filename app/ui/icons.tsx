import type { Icon } from "./icon.ts";
import drawings from "./icons.svg?no-inline";

/**
 * All icons are in one file, which browsers cache. To add one, name it here as lucide does and run `node scripts/icons.ts`. `<use>` is set
 * as HTML because a page has dozens of icons, and elements cost more.
 */
function icon(name: string): Icon {
  const symbol = { __html: `<use href="${drawings}#${name}"></use>` };
  return ({ className, ...rest }) => (
    <svg
      aria-hidden={rest["aria-label"] ? undefined : true}
      {...rest}
      className={className ? `icon ${className}` : "icon"}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant.
      dangerouslySetInnerHTML={symbol}
    />
  );
}

export const Activity = icon("activity");
export const ArrowDown = icon("arrow-down");
export const ArrowLeft = icon("arrow-left");
export const ArrowRight = icon("arrow-right");
export const ArrowUp = icon("arrow-up");
export const ArrowUpRight = icon("arrow-up-right");
export const Ban = icon("ban");
export const Bell = icon("bell");
export const BellOff = icon("bell-off");
export const BellRing = icon("bell-ring");
export const Bold = icon("bold");
export const BookOpen = icon("book-open");
export const Bookmark = icon("bookmark");
export const Bug = icon("bug");
export const Calendar = icon("calendar");
export const Camera = icon("camera");
export const ChartColumn = icon("chart-column");
export const Check = icon("check");
export const CheckCheck = icon("check-check");
export const ChevronDown = icon("chevron-down");
export const ChevronLeft = icon("chevron-left");
export const ChevronRight = icon("chevron-right");
export const ChevronUp = icon("chevron-up");
export const CircleAlert = icon("circle-alert");
export const CircleCheck = icon("circle-check");
export const CircleSlash = icon("circle-slash");
export const CircleX = icon("circle-x");
export const Clock = icon("clock");
export const CloudOff = icon("cloud-off");
export const Code = icon("code");
export const Compass = icon("compass");
export const Construction = icon("construction");
export const Database = icon("database");
export const DatabaseBackup = icon("database-backup");
export const Download = icon("download");
export const Ellipsis = icon("ellipsis");
export const EllipsisVertical = icon("ellipsis-vertical");
export const ExternalLink = icon("external-link");
export const Eye = icon("eye");
export const EyeOff = icon("eye-off");
export const Feather = icon("feather");
export const FileArchive = icon("file-archive");
export const FileImage = icon("file-image");
export const FilePen = icon("file-pen");
export const FilePenLine = icon("file-pen-line");
export const FileText = icon("file-text");
export const Flag = icon("flag");
export const FolderOpen = icon("folder-open");
export const Globe = icon("globe");
export const Heading1 = icon("heading-1");
export const Heading2 = icon("heading-2");
export const Heading3 = icon("heading-3");
export const Heart = icon("heart");
export const History = icon("history");
export const House = icon("house");
export const ImageOff = icon("image-off");
export const ImagePlus = icon("image-plus");
export const Info = icon("info");
export const Italic = icon("italic");
export const KeyRound = icon("key-round");
export const LayoutDashboard = icon("layout-dashboard");
export const LayoutGrid = icon("layout-grid");
export const Leaf = icon("leaf");
export const Link2 = icon("link-2");
export const List = icon("list");
export const ListOrdered = icon("list-ordered");
export const LoaderCircle = icon("loader-circle");
export const Lock = icon("lock");
export const LogIn = icon("log-in");
export const LogOut = icon("log-out");
export const Mail = icon("mail");
export const MailWarning = icon("mail-warning");
export const MapPin = icon("map-pin");
export const Megaphone = icon("megaphone");
export const Menu = icon("menu");
export const MessageCircle = icon("message-circle");
export const Minus = icon("minus");
export const Monitor = icon("monitor");
export const MonitorSmartphone = icon("monitor-smartphone");
export const Moon = icon("moon");
export const Newspaper = icon("newspaper");
export const Palette = icon("palette");
export const Paperclip = icon("paperclip");
export const Pause = icon("pause");
export const PenLine = icon("pen-line");
export const Pencil = icon("pencil");
export const Pin = icon("pin");
export const PinOff = icon("pin-off");
export const Play = icon("play");
export const Plus = icon("plus");
export const RefreshCw = icon("refresh-cw");
export const RotateCcw = icon("rotate-ccw");
export const RotateCw = icon("rotate-cw");
export const Save = icon("save");
export const ScrollText = icon("scroll-text");
export const Scale = icon("scale");
export const Search = icon("search");
export const Send = icon("send");
export const SendHorizontal = icon("send-horizontal");
export const Settings = icon("settings");
export const Share2 = icon("share-2");
export const ShieldAlert = icon("shield-alert");
export const ShieldCheck = icon("shield-check");
export const SlidersHorizontal = icon("sliders-horizontal");
export const Smile = icon("smile");
export const SquarePen = icon("square-pen");
export const Star = icon("star");
export const StarOff = icon("star-off");
export const Strikethrough = icon("strikethrough");
export const Sun = icon("sun");
export const TextQuote = icon("text-quote");
export const Trash2 = icon("trash-2");
export const TriangleAlert = icon("triangle-alert");
export const Underline = icon("underline");
export const Undo2 = icon("undo-2");
export const Upload = icon("upload");
export const User = icon("user");
export const UserCheck = icon("user-check");
export const UserPlus = icon("user-plus");
export const UserRound = icon("user-round");
export const Users = icon("users");
export const Webhook = icon("webhook");
export const X = icon("x");
export const FacebookIcon = icon("facebook");
export const GitHubIcon = icon("github");
export const LinkedInIcon = icon("linkedin");
export const TwitterIcon = icon("twitter");
