export const pageStyles = "text-lg! leading-[1.62]! [&_h2]:text-t2! [&_h2]:border-t [&_h2]:border-line [&_h2]:pt-6 [&>h2:first-child]:mt-0";
