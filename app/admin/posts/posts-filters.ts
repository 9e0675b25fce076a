export const searches = [{ name: "q", placeholder: "Search posts..." }];

const statuses = [
  { value: "", label: "Status: All" },
  { value: "active", label: "Status: Published" },
  { value: "inactive", label: "Status: Draft" },
  { value: "held", label: "Status: Held" },
  { value: "deleted", label: "Status: Deleted" },
];

const featuredChoices = [
  { value: "", label: "Featured: All" },
  { value: "true", label: "Featured: Yes" },
  { value: "false", label: "Featured: No" },
];

const sorts = [
  { value: "", label: "Sort: Newest" },
  { value: "oldest", label: "Sort: Oldest" },
  { value: "title", label: "Sort: Title" },
  { value: "likes", label: "Sort: Likes" },
  { value: "views", label: "Sort: Views" },
];

const half = "w-[calc(50%-6px)] sm:w-44";

export const selects = [
  { name: "status", label: "Status", options: statuses, className: half },
  { name: "featured", label: "Featured", options: featuredChoices, className: half },
  { name: "sort", label: "Sort", options: sorts },
];
