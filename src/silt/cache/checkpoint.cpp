#include "silt/cache/checkpoint.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "silt/cache/json_line.h"
#include "silt/core/text.h"

namespace silt {
namespace {

static_assert(std::endian::native == std::endian::little, "checkpoints are little-endian");

constexpr std::size_t alignment = 64;
constexpr std::size_t length_bytes = 8;
/// safetensors allows no holes between arrays, so what aligns the next array is an array too.
constexpr std::string_view padding_prefix = "__padding";
constexpr std::string_view format_name = "silt checkpoint";
/// How a header begins: the checksum has its place at once, and zeros in it while it is worked out.
constexpr std::string_view seal_begin = R"({"__metadata__":{"xxh3":")";
constexpr std::string_view unsealed = "0000000000000000";
/// [bytes]: for as many arrays as any state has, many times over.
constexpr std::uint64_t longest_header = 1 << 26;

struct DtypeRow {
  Dtype dtype;
  std::string_view name;
  std::size_t size;
};
constexpr DtypeRow dtypes[] = {{Dtype::f32, "F32", 4}, {Dtype::f64, "F64", 8}, {Dtype::i32, "I32", 4},
                               {Dtype::u32, "U32", 4}, {Dtype::i64, "I64", 8}, {Dtype::u64, "U64", 8},
                               {Dtype::u8, "U8", 1}};

const DtypeRow& row(Dtype dtype) {
  return dtypes[std::size_t(dtype)];
}

std::optional<Dtype> parse_dtype(std::string_view name) {
  for (const DtypeRow& r : dtypes)
    if (r.name == name) return r.dtype;
  return {};
}

std::size_t aligned(std::size_t n) {
  return (n + alignment - 1) / alignment * alignment;
}

/// Bytes of an array; nothing when the shape is negative or too big for any memory.
std::optional<std::uint64_t> bytes_of(Dtype dtype, const std::vector<std::int64_t>& shape) {
  std::uint64_t n = size_of(dtype);
  for (const std::int64_t extent : shape) {
    if (extent < 0) return {};
    if (__builtin_mul_overflow(n, std::uint64_t(extent), &n)) return {};
  }
  return n;
}

[[noreturn]] void refuse(const std::string& path, std::string_view why) {
  throw IoError(str(path, " is not a checkpoint silt can read: ", why));
}

struct Parsed {
  Metadata metadata;
  std::vector<Checkpoint::Array> arrays;
};

Checkpoint::Array parse_array(const std::string& path, const std::string& name, const Json& entry,
                              std::string_view data) {
  const auto unsigned_at = [&](const Json& list, std::size_t i) -> std::uint64_t {
    if (!list.at(i).is_number_unsigned()) refuse(path, str("the place of '", name, "' is no number"));
    return list.at(i);
  };
  const auto dtype = parse_dtype(entry.at("dtype").get_ref<const std::string&>());
  if (!dtype) refuse(path, str("the type of '", name, "' is unknown"));
  Checkpoint::Array array{name, *dtype, {}, nullptr, 0};
  const Json& shape = entry.at("shape");
  if (!shape.is_array()) refuse(path, str("'", name, "' has no shape"));
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::uint64_t extent = unsigned_at(shape, i);
    if (extent > std::uint64_t(std::numeric_limits<std::int64_t>::max())) refuse(path, str("'", name, "' is too big"));
    array.shape.push_back(std::int64_t(extent));
  }
  const Json& offsets = entry.at("data_offsets");
  const std::uint64_t begin = unsigned_at(offsets, 0), end = unsigned_at(offsets, 1);
  if (offsets.size() != 2 || begin > end || end > data.size()) refuse(path, str("'", name, "' lies outside the file"));
  if (bytes_of(*dtype, array.shape) != end - begin)
    refuse(path, str("the shape of '", name, "' does not fit its bytes"));
  array.data = data.data() + begin;
  array.bytes = std::size_t(end - begin);
  return array;
}

Parsed parse(const std::string& path, std::string_view file) {
  if (file.size() < length_bytes) refuse(path, "it is too short");
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), length_bytes);
  if (length > file.size() - length_bytes) refuse(path, "its header is longer than the file");
  if (length > longest_header) refuse(path, str("its header is longer than ", longest_header, " bytes"));
  const std::string_view text = file.substr(length_bytes, length), data = file.substr(length_bytes + length);
  const Json header = parse_json(text);
  if (!header.is_object()) refuse(path, "its header is not JSON");
  Parsed parsed;
  for (const auto& [name, entry] : header.items()) {
    try {
      if (name == "__metadata__")
        for (const auto& [key, value] : entry.items()) parsed.metadata[key] = value.get_ref<const std::string&>();
      else if (Checkpoint::Array array = parse_array(path, name, entry, data); !name.starts_with(padding_prefix))
        parsed.arrays.push_back(std::move(array));
    } catch (const Json::exception&) {
      refuse(path, str("its entry '", name, "' makes no sense"));
    }
  }
  std::stable_sort(parsed.arrays.begin(), parsed.arrays.end(),
                   [](const auto& a, const auto& b) { return a.data < b.data; });
  return parsed;
}

template <class T>
T parse_number(const std::string& path, std::string_view key, const std::string& text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) refuse(path, str("'", key, "' is not a number"));
  return value;
}

}  // namespace

std::size_t size_of(Dtype dtype) {
  return row(dtype).size;
}

std::string_view name_of(Dtype dtype) {
  return row(dtype).name;
}

void CheckpointWriter::add(std::string name, Dtype dtype, std::vector<std::int64_t> shape, const void* data,
                           std::size_t bytes) {
  const bool taken = std::any_of(arrays_.begin(), arrays_.end(), [&](const Array& a) { return a.name == name; });
  if (taken || name.starts_with("__")) throw Error(str("a checkpoint cannot have one more array called '", name, "'"));
  if (bytes_of(dtype, shape) != bytes) throw Error(str("the shape of '", name, "' does not fit its bytes"));
  arrays_.push_back({std::move(name), dtype, std::move(shape), data, bytes});
}

std::string CheckpointWriter::header() const {
  Json header;
  Json& meta = header["__metadata__"];
  meta["xxh3"] = unsealed;
  meta["format"] = format_name;
  meta["checkpoint_version"] = str(checkpoint_format);
  meta["silt_version"] = SILT_VERSION;
  for (const auto& [key, value] : metadata) meta[key] = value;
  std::size_t offset = 0;
  for (const Array& a : arrays_) {
    const std::size_t end = offset + a.bytes, next = aligned(end);
    header[a.name] = {{"dtype", name_of(a.dtype)}, {"shape", a.shape}, {"data_offsets", {offset, end}}};
    if (next != end && &a != &arrays_.back())
      header[str(padding_prefix, end)] = {{"dtype", "U8"}, {"shape", {next - end}}, {"data_offsets", {end, next}}};
    offset = next;
  }
  std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.append(aligned(length_bytes + text.size()) - length_bytes - text.size(), ' ');
  return text;
}

template <class Use>
void CheckpointWriter::pieces(const std::string& header, const Use& use) const {
  const std::uint64_t length = header.size();
  use(&length, sizeof length);
  use(header.data(), header.size());
  constexpr char zeros[alignment] = {};
  for (const Array& a : arrays_) {
    use(a.data, a.bytes);
    if (&a != &arrays_.back()) use(zeros, aligned(a.bytes) - a.bytes);
  }
}

void CheckpointWriter::write(FileWriter& file) const {
  std::string text = header();
  Hasher whole;
  pieces(text, [&](const void* bytes, std::size_t n) {
    if (n > 0) whole.add(bytes, n);
  });
  text.replace(seal_begin.size(), unsealed.size(), hex64(whole.stamp().xxh3));
  pieces(text, [&](const void* bytes, std::size_t n) { file.write(bytes, n); });
}

bool proves_itself(std::string_view bytes) {
  const std::size_t at = length_bytes + seal_begin.size();
  if (bytes.size() < at + unsealed.size() || bytes.substr(length_bytes, seal_begin.size()) != seal_begin) return false;
  Hasher whole;
  whole.add(bytes.data(), at);
  whole.add(unsealed.data(), unsealed.size());
  const std::string_view rest = bytes.substr(at + unsealed.size());
  if (!rest.empty()) whole.add(rest.data(), rest.size());
  return hex64(whole.stamp().xxh3) == bytes.substr(at, unsealed.size());
}

const std::string& Checkpoint::text(std::string_view key) const {
  const auto found = metadata_.find(key);
  if (found == metadata_.end()) refuse(path_, str("it does not say '", key, "'"));
  return found->second;
}

std::int64_t Checkpoint::integer(std::string_view key) const {
  return parse_number<std::int64_t>(path_, key, text(key));
}

double Checkpoint::number(std::string_view key) const {
  return parse_number<double>(path_, key, text(key));
}

const Checkpoint::Array* Checkpoint::find(std::string_view name) const {
  for (const Array& a : arrays_)
    if (a.name == name) return &a;
  return nullptr;
}

void Checkpoint::copy_bytes(std::string_view name, Dtype dtype, void* to, std::size_t bytes) const {
  const Array* a = find(name);
  if (!a) refuse(path_, str("it has no '", name, "'"));
  if (a->dtype != dtype || a->bytes != bytes)
    refuse(path_, str("'", name, "' is ", a->count(), " values of ", name_of(a->dtype), ", not ",
                      bytes / size_of(dtype), " of ", name_of(dtype)));
  if (bytes) std::memcpy(to, a->data, bytes);
}

Checkpoint read_checkpoint(const std::filesystem::path& path, Bytes verified, bool any_version) {
  Checkpoint checkpoint;
  checkpoint.path_ = path.string();
  checkpoint.bytes_ = std::move(verified);
  Parsed parsed = parse(checkpoint.path_, checkpoint.bytes_.text());
  checkpoint.metadata_ = std::move(parsed.metadata);
  checkpoint.arrays_ = std::move(parsed.arrays);
  if (any_version) return checkpoint;
  if (checkpoint.text("format") != format_name) refuse(checkpoint.path_, "another program wrote it");
  if (const std::string& version = checkpoint.text("checkpoint_version"); version != str(checkpoint_format))
    throw InputError(str(checkpoint.path_, " was written by silt ", checkpoint.text("silt_version"),
                         " (checkpoint version ", version, "); silt " SILT_VERSION " reads version ", checkpoint_format,
                         ": resume with the silt that wrote it"));
  return checkpoint;
}

std::string exact_text(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

}  // namespace silt
