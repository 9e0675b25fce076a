// Every theme and its scenes, from the files beside this one.
import beesAndBirds from "./bees-and-birds.mjs";
import bicyclesAndLetters from "./bicycles-and-letters.mjs";
import city from "./city.mjs";
import clocksAndRadios from "./clocks-and-radios.mjs";
import coast from "./coast.mjs";
import coffeeAndBread from "./coffee-and-bread.mjs";
import crops from "./crops.mjs";
import deserts from "./deserts.mjs";
import dogsAndSheep from "./dogs-and-sheep.mjs";
import drums from "./drums.mjs";
import forests from "./forests.mjs";
import gardens from "./gardens.mjs";
import keysAndLadders from "./keys-and-ladders.mjs";
import kitchensAndTeapots from "./kitchens-and-teapots.mjs";
import looms from "./looms.mjs";
import mapsAndMarkets from "./maps-and-markets.mjs";
import mills from "./mills.mjs";
import moonAndStars from "./moon-and-stars.mjs";
import piano from "./piano.mjs";
import puppets from "./puppets.mjs";
import rain from "./rain.mjs";
import rivers from "./rivers.mjs";
import seaAndBoats from "./sea-and-boats.mjs";
import snowAndMountains from "./snow-and-mountains.mjs";
import stairsAndBridges from "./stairs-and-bridges.mjs";
import trainsAndShoes from "./trains-and-shoes.mjs";
import wind from "./wind.mjs";
import windowsAndBooks from "./windows-and-books.mjs";

export const covers = {
  ...city,
  ...coast,
  ...looms,
  ...puppets,
  ...drums,
  ...beesAndBirds,
  ...dogsAndSheep,
  ...gardens,
  ...crops,
  ...windowsAndBooks,
  ...clocksAndRadios,
  ...trainsAndShoes,
  ...keysAndLadders,
  ...bicyclesAndLetters,
  ...piano,
  ...stairsAndBridges,
  ...mills,
  ...mapsAndMarkets,
  ...kitchensAndTeapots,
  ...coffeeAndBread,
  ...seaAndBoats,
  ...rivers,
  ...wind,
  ...rain,
  ...moonAndStars,
  ...forests,
  ...snowAndMountains,
  ...deserts,
};

// Pictures that were there before, by theme.
export const existing = {
  lighthouse: ["lighthouse.jpg"],
  "night-bus": ["nightbus.jpg"],
  tomatoes: ["tomatoes.jpg"],
  mountains: ["mountains.jpg"],
  piano: ["piano.jpg"],
  letters: ["inbox.jpg", "town.jpg"],
  market: ["market.jpg"],
  map: ["map.jpg"],
  bicycle: ["bicycles.jpg"],
  sea: ["tide.jpg"],
  "snow-cabin": ["cabin.jpg"],
  kitchen: ["margins.jpg"],
  stars: ["moths.jpg"],
};
