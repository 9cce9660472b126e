#include "trials/options.h"

#include <algorithm>
#include <charconv>

#include "silt/core/error.h"
#include "silt/scene/diagnostics.h"

namespace silt::trials {

namespace {

int whole_number(const std::string& option, const std::string& text, int low, int high) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < low || value > high)
    throw InputError(option + " takes a whole number from " + std::to_string(low) + " to " + std::to_string(high) +
                     ", not '" + text + "'");
  return value;
}

Device device_of(const std::string& text) {
  if (text == "cpu") return Device::cpu;
  if (text == "cuda") return Device::cuda;
  throw InputError("--device takes cpu or cuda, not '" + text + "'");
}

}  // namespace

Options parse_options(const std::vector<std::string>& words, const std::vector<Extra>& extras) {
  const auto takes = [&](Extra e) { return std::find(extras.begin(), extras.end(), e) != extras.end(); };
  std::vector<std::string> known{"--list", "--json", "--quick", "--help", "--threads", "--device"};
  if (takes(Extra::size)) known.push_back("--size");
  if (takes(Extra::out)) known.push_back("--out");

  Options o;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.empty() || word[0] != '-') {
      o.names.push_back(word);
      continue;
    }
    const std::size_t equals = word.find('=');
    const std::string name = word == "-h" ? "--help" : word.substr(0, equals);
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      const std::string meant = did_you_mean(name, known);
      throw InputError("unknown option '" + name + "'; " +
                       (meant.empty() ? "there is " + list_names(known, "and") : meant));
    }
    const auto value = [&]() -> std::string {
      if (equals != std::string::npos) return word.substr(equals + 1);
      if (i + 1 >= words.size()) throw InputError(name + " needs a value");
      return words[++i];
    };
    if (name == "--threads")
      o.threads = whole_number(name, value(), 1, 4096);
    else if (name == "--device")
      o.device = device_of(value());
    else if (name == "--size")
      o.size = whole_number(name, value(), 16, 1024);
    else if (name == "--out")
      o.out = value();
    else if (equals != std::string::npos)
      throw InputError(name + " takes no value");
    else
      (name == "--list" ? o.list : name == "--json" ? o.json : name == "--quick" ? o.quick : o.help) = true;
  }
  return o;
}

}  // namespace silt::trials
